/**
 * Ids by what they name. A value of one kind is refused where another is expected; text from outside may become any of them, because
 * the store is what decides whether it names something.
 */
import type { Kind } from '../lib/kind.js';

export type ConsentId = Kind<string, 'ConsentId'>;
export type TppId = Kind<string, 'TppId'>;
/** An application of a third party. */
export type ClientId = Kind<string, 'ClientId'>;
export type PsuId = Kind<string, 'PsuId'>;
/** As the bank knows the account. */
export type AccountId = Kind<string, 'AccountId'>;
