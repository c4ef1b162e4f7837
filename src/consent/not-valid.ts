/** The refusal of a consent that exists, but cannot be used in its status. */
import { Problem } from '../problem/problem.js';
import type { Standing } from './reason.js';

/** A consent of the caller's that cannot be used in its status. `subject` begins the sentence. */
export const consentNotValid = (standing: Standing, subject: string): Problem =>
  new Problem('consent-not-valid', {
    detail: `${subject} has the status ${standing.status}.`,
    ...(standing.status === 'Received' ? { advice: 'ask-account-holder' } : {}),
    extensions: { consent: standing },
  });
