/** The account for the operator console that everybody may use; its login page shows the present code. */
export const demoOperator = {
  name: 'demo',
  passphrase: 'open sesame 1234',
  totp: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
} as const;
