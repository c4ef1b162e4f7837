/** How far requests must be signed, from the loosest policy to the strictest. */
export const signaturePolicies = ['off', 'if-present', 'required', 'strict'] as const;
export type SignaturePolicy = (typeof signaturePolicies)[number];

/** A third party's own policy goes before the bank's, but never below one that demands signatures of everybody. */
export const policyFor = (bank: SignaturePolicy, own: SignaturePolicy | undefined): SignaturePolicy => {
  if (own === undefined) return bank;
  const isDemanded = bank === 'required' || bank === 'strict';
  return isDemanded && signaturePolicies.indexOf(own) < signaturePolicies.indexOf(bank) ? bank : own;
};
