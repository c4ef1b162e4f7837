/** Letters without their accents, cases and final forms: «Αθηνάς» is found by «ΑΘΗΝΑΣ». What every search compares. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
