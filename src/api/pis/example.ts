/** A payment consent record for the documentation. */
export const paymentExample = {
  type: 'PaymentInitiation',
  id: '0c2f0f0e-6b7e-4f0a-9d3e-2b1f6f0a7c11',
  tpp: 'demo-finance-app',
  createdDate: '2026-11-15T09:30:00.000Z',
  consentStatus: 'Valid',
  details: {
    endToEndId: 'INV-2041',
    paymentService: 'transfers',
    paymentProduct: 'domestic',
    instructedAmount: { currency: 'EUR', amount: 120.5 },
    creditorName: 'Βιβλιοπωλείο Αθηνά',
  },
} as const;
