/** The conformance kit, pointed at a bank that a test has started. */
import { Bank } from '../../packages/conformance/src/bank/bank.js';
import { Http } from '../../packages/conformance/src/bank/http.js';
import { sandboxPerson } from '../../packages/conformance/src/bank/person.js';
import { sandboxCredentials } from '../../packages/conformance/src/bank/sandbox.js';
import type { Case } from '../../packages/conformance/src/case.js';
import { cases } from '../../packages/conformance/src/cases.js';
import { type Result, runCases } from '../../packages/conformance/src/run.js';

const TIMEOUT_MS = 60_000;

const tryOn = async (bank: Bank, isWanted: (each: Case) => boolean): Promise<readonly Result[]> => {
  try {
    return await runCases(cases.filter(isWanted), bank);
  } finally {
    bank.http.close();
  }
};

export const trySandbox = async (
  url: string,
  isWanted: (each: Case) => boolean = () => true,
): Promise<readonly Result[]> => {
  const http = new Http(url, TIMEOUT_MS);
  const credentials = await sandboxCredentials(http);
  const person = sandboxPerson(http, credentials.person?.username ?? '');
  return tryOn(new Bank({ http, credentials, person }), isWanted);
};
