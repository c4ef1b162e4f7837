/** The account for the operator console that everybody may use; its login page shows the present code. */
export const demoOperator = {
  name: 'demo',
  passphrase: 'open sesame 1234',
  passphraseHash: 'scrypt$16384$8$5$trapeza-demo:operator$I7sYQlLL0ZDvZm5FdBEODxdrhOUzgM1ZCDn0Byvn10g',
  totp: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
} as const;
