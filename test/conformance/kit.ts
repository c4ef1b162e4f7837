/** The conformance kit, pointed at a bank that a test has started. */
import type { Bank } from '../../packages/conformance/src/bank/bank.js';
import { Http } from '../../packages/conformance/src/bank/http.js';
import { openSandbox } from '../../packages/conformance/src/bank/sandbox.js';
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
  return tryOn(await openSandbox(new Http(url, TIMEOUT_MS)), isWanted);
};
