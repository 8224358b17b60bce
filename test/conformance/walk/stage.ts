/** Where a service is and what lets in. */
export interface Access {
	/** Ends with /api/v1. */
	baseUrl: string;
	/** Personal access token of the agent surface. */
	token: string;
	/** JWT of the legacy surface. */
	jwt: string;
}

/** What a walk runs against, and what can be made to happen there. */
export interface Stage {
	access: Access;
	isLocal: boolean;
	/**
	 * A contract with so small an allowance that one page uses it up; absent where nothing can make
	 * one.
	 */
	smallAllowance?: () => Promise<Access>;
	/** Puts a file into a folder that is connected; absent where there is none. */
	intoFolder?: (folder: string, name: string, bytes: Uint8Array) => Promise<void>;
	/** First pause between two polls, milliseconds. */
	pollFromMs: number;
	/** How long a job may take, milliseconds. */
	patienceMs: number;
	/** How long a delivery may take after what it reports, milliseconds. */
	deliveryMs: number;
	/** How long after the last attempt nothing more may come for a delivery to count as dead. */
	quietMs: number;
	/** Ports and addresses of the receiver of webhooks. */
	receiver: { port: number; publicUrl: string | null };
}

/** {site_url}: the base address without the version segment. */
export function siteOf(access: Access): string {
	return access.baseUrl.replace(/\/api\/v1\/?$/, '');
}
