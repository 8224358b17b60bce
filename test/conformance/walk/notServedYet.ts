import type { RowId } from './rows.ts';

const INVOICES = 'invoice jobs end as Failed with a reason in this version of the service';
const FORMS = 'tax form jobs end as Failed with a reason in this version of the service';
const CHECKS = 'check image jobs end as Failed with a reason in this version of the service';

/**
 * The rows that the local service does not serve yet, each with its reason. They are tried all the
 * same: one that passes has to leave this list. Against any other service they count like all rows.
 */
export const notServedYet: Partial<Record<RowId, string>> = {
	'2.7 jobType Invoice': INVOICES,
	'2.7 jobType Form': FORMS,
	'2.8 transaction.metadata': CHECKS,
	'2.8 checks': CHECKS,
	'2.8 check.confidence': CHECKS,
	'2.8 check.extractor': CHECKS,
	'2.8 check.amountText': CHECKS,
	'2.8 check.legalAmountNumeric': CHECKS,
	'2.8 check.routingNumber': CHECKS,
	'2.8 check.bank': CHECKS,
	'2.8 check.isCheckConsistent': CHECKS,
	'2.8 check.isMicrValid': CHECKS,
	'2.8 check.docTypeGuess': CHECKS,
	'2.8 check.handwrittenFields': CHECKS,
	'2.8 check.payee': CHECKS,
	'2.8 check.checkMemo': CHECKS,
	'2.8 invoice': INVOICES,
	'2.8 form.rowNumber': FORMS,
	'2.8 form.pageNumber': FORMS,
	'2.8 form.form': FORMS,
	'4.2 GET /agent/jobs/{id}/data of an invoice': INVOICES,
	'4.3 data of an invoice': INVOICES,
	'4.3 data of a tax form': FORMS,
	'6 invoice.extraction.completed': INVOICES,
	'6 form.extraction.completed': FORMS,
	'6 tie check': CHECKS,
	'6 tie invoice': INVOICES,
	'6 tie form': FORMS,
};
