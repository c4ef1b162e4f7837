/** What the account holder read about a payment before its approval: payee check, day of execution. Null for the rest. */
export const paymentNotes = {
  id: 31,
  name: 'payment-notes',
  compatibleFrom: 24,
  sql: `
alter table consents add column payment_notes text;
`,
} as const;
