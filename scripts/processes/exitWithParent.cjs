'use strict';

// Loaded with --require into every server that a script starts. When the script is gone, even by
// SIGKILL, the system gives its children another parent: then the server goes down as well.
const checkMs = 1_000;
const graceMs = 10_000;
const parent = process.ppid;

const check = setInterval(() => {
	if (process.ppid === parent) return;
	clearInterval(check);
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
}, checkMs);
// Watching must not keep a server alive that has nothing else to do.
check.unref();
