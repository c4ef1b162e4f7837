/** On whose permission a question is asked, and what the bank wanted to be reminded of. */
export interface ConsentNote {
  readonly id: string;
  /** The application that holds it. */
  readonly clientId: string;
  /** An opaque text of the bank's own, kept with the consent and sent back with every later question on it; null while there is none. */
  readonly bankData: string | null;
}

/** For whom a question about an account is asked. The bank answers only as long as this person holds the account. */
export interface Asker {
  readonly psuId: string;
  readonly consent?: ConsentNote | undefined;
  /** Of the account, as far as it is known: an answer in another one is wrong. */
  readonly currency?: string | undefined;
}

/** Of a record that knows more: the bank is told no more than this. */
export const noteOf = ({ id, clientId, bankData }: ConsentNote): ConsentNote => ({ id, clientId, bankData });

export const askerOf = (
  consent: ConsentNote & { readonly psuId: string },
  account?: { readonly currency: string | null },
): Asker => ({
  psuId: consent.psuId,
  consent: noteOf(consent),
  ...(account?.currency ? { currency: account.currency } : {}),
});
