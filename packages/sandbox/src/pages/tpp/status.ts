/** The colour of a status; the word itself says what it is. */
import type { Meaning } from 'trapeza/pages';

export const statusMeaning = (status: string): Meaning => {
  if (status === 'Valid') return 'good';
  return status === 'Received' ? 'notice' : 'bad';
};

export const answerMeaning = (status: number): Meaning => (status >= 200 && status < 400 ? 'good' : 'bad');
