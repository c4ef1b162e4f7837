/** How far the requests of one third party must be signed; without a value, as the bank says for everybody. */
export const signaturePolicy = {
  id: 16,
  name: 'signature-policy',
  sql: `
alter table tpps add column signature_policy text
  check (signature_policy in ('off', 'if-present', 'required', 'strict'));
`,
} as const;
