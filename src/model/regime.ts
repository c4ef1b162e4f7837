/** Which law the bank applies: PSD2 with its technical standards (2018/389), or the Payment Services Regulation once it applies. */
export const regimes = ['psd2', 'psr'] as const;
export type Regime = (typeof regimes)[number];
