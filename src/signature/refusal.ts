/** From a check that failed to the problem that answers: the certificate's reasons have codes of their own. */
import { reasons } from '../certificate/reasons.js';
import { challengeOf } from '../problem/challenge.js';
import { fieldFault } from '../problem/field.js';
import { Problem, type ProblemSlug } from '../problem/problem.js';
import { SignatureFault } from './claim.js';
import type { Failure } from './verify.js';

const CHALLENGE = { 'WWW-Authenticate': challengeOf('signature-required') };

/** What was asked for and not there. */
export const signatureRequired = (): Problem => new Problem('signature-required', { headers: CHALLENGE });

const faultProblem = (fault: SignatureFault, signature: { readonly failed: string }): Problem => {
  const { message: detail, header } = fault;
  if (header === undefined)
    return new Problem('signature-invalid', { detail, extensions: { signature }, headers: CHALLENGE });
  return new Problem('invalid-header', {
    detail,
    errors: { [`header.${header}`]: [fieldFault('format', detail, { format: header.toLowerCase() })] },
    extensions: { signature },
  });
};

/** The name of the check goes along, so that a developer knows where to look. */
export const refusalOf = ({ check, fault }: Failure): Problem => {
  const signature = { failed: check };
  if (fault instanceof SignatureFault) return faultProblem(fault, signature);
  const { code, detail } = reasons[fault];
  if (fault === 'revocation-unknown')
    return new Problem('dependency-unavailable', { detail, extensions: { signature } });
  const slug: ProblemSlug = 'certificate-invalid';
  return new Problem(slug, { detail, code, extensions: { signature }, headers: CHALLENGE });
};
