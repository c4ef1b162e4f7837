/** Cases about the bank's own PDF of a statement, which a core need not have. */
import { check, type Trial } from '../case.js';
import { demand, Skip } from '../verdict.js';
import { newestOf } from './statements.js';

const ABSENT = [404, 405, 501];

/** Of the newest statement: what was asked, and what came. */
export const documentOf = async (trial: Trial<'accountId'>) => {
  const params = { accountId: trial.subject.accountId, statementId: (await newestOf(trial)).id };
  const seen = await trial.core.ask('readStatementDocument', { params });
  if (ABSENT.includes(seen.status)) throw new Skip('the newest statement has no document of yours');
  return { params, ...seen };
};

export const documentCases = [
  check({
    id: 'document-pdf',
    title: 'has the paper of a statement as a PDF',
    operation: 'readStatementDocument',
    hint: 'Answer 200 with Content-Type: application/pdf and the bytes themselves, which begin with %PDF-; 404 if there is none.',
    needs: ['accountId'],
    run: async (trial) => {
      const { status, contentType, bytes } = await documentOf(trial);
      demand(status === 200, '200, or 404 if there is no document', `status ${status}`);
      demand(/^application\/pdf\s*(;|$)/i.test(contentType), 'application/pdf', 'another content type');
      demand(bytes.toString('latin1', 0, 5) === '%PDF-', 'bytes that begin with %PDF-', 'others');
    },
  }),
  check({
    id: 'document-same',
    title: 'has the same paper each time',
    operation: 'readStatementDocument',
    hint: 'It is evidence: keep the document, or make it without the moment of the request.',
    needs: ['accountId'],
    run: async (trial) => {
      const [first, second] = [await documentOf(trial), await documentOf(trial)];
      demand(first.bytes.equals(second.bytes), 'the same bytes twice', 'others the second time');
    },
  }),
  check({
    id: 'document-of-another-account',
    title: 'shows the paper of a statement to its own account only',
    operation: 'readStatementDocument',
    hint: 'Look it up by the id and the account together: 404 if the account has none of this id, else its own one.',
    needs: ['accountId', 'otherAccountId', 'otherPsuId'],
    run: async (trial) => {
      const { params, bytes } = await documentOf(trial);
      const { otherAccountId: accountId, otherPsuId: psuId } = trial.subject;
      const other = await trial.core.ask('readStatementDocument', {
        params: { ...params, accountId },
        psuId,
      });
      const isOwn = other.status === 200 && !other.bytes.equals(bytes);
      demand(other.status === 404 || isOwn, '404, or a document of that account', `status ${other.status}`);
    },
  }),
];
