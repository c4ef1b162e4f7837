/** The colour of a status; the word itself says what it is. */
import type { Meaning } from 'trapeza/pages';

/** Of a consent or a payment order. */
export const statusMeaning = (status: string): Meaning => {
  if (['Valid', 'ACSC'].includes(status)) return 'good';
  return ['Received', 'RCVD', 'PDNG', 'ACTC', 'ACSP'].includes(status) ? 'notice' : 'bad';
};

export const answerMeaning = (status: number): Meaning => (status >= 200 && status < 400 ? 'good' : 'bad');
