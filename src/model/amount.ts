/**
 * Money and its currencies. On the wire an amount is a JSON number (interface: "Amount"); inside it is an integer of minor units. The value
 * of a double is its shortest decimal form, so 0.1 is a tenth and never 0.1000000000000000055.
 */

/** ISO 4217: the active alphabetic codes and how many decimals each has. */
const byDecimals: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
      COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
      INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
      MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
      STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const decimals: ReadonlyMap<string, number> = new Map(
  Object.entries(byDecimals).flatMap(([count, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(count)]),
  ),
);

/** The decimals of a currency, or undefined if there is no such currency. */
export const decimalsOf = (currency: string): number | undefined => decimals.get(currency);

export const isCurrency = (text: string): boolean => decimals.has(text);

const SIGNIFICANT_DIGITS = 15;

export type AmountFault = 'not-finite' | 'not-positive' | 'too-precise' | 'too-many-decimals';

interface Decimal {
  /** All digits without the point, without leading or trailing zeros. */
  readonly digits: string;
  /** Where the point is: value = digits × 10^exponent. */
  readonly exponent: number;
}

const decompose = (value: number): Decimal => {
  // As many digits as needed, such as 2.55e+1.
  const text = value.toExponential();
  const end = text.indexOf('e');
  const digits = text.slice(0, 1) + text.slice(2, end);
  return { digits, exponent: Number(text.slice(end + 1)) - digits.length + 1 };
};

/** What is wrong with an amount of this currency, or of any currency if none is given. */
export const amountFault = (value: number, currency?: string): AmountFault | undefined => {
  if (!Number.isFinite(value)) return 'not-finite';
  if (value <= 0) return 'not-positive';
  const { digits, exponent } = decompose(value);
  if (digits.length > SIGNIFICANT_DIGITS) return 'too-precise';
  const allowed = currency === undefined ? 4 : (decimalsOf(currency) ?? 4);
  return -exponent > allowed ? 'too-many-decimals' : undefined;
};

/** The amount in minor units, exact however large. Call only after `amountFault` found nothing for the same currency. */
export const toMinor = (value: number, currency: string): bigint => {
  const { digits, exponent } = decompose(value);
  return BigInt(digits + '0'.repeat(exponent + (decimalsOf(currency) ?? 0)));
};

/** The number that is written to the wire for an amount in minor units. */
export const fromMinor = (minor: number, currency: string): number =>
  Number(`${minor}e-${decimalsOf(currency) ?? 0}`);

/** Money as decimal text, such as "12.50": exact however large, with no more decimals than its currency has. */
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** In minor units; undefined for what is no decimal text, no currency, or has more decimals than the currency. */
export const minorOf = (text: string, currency: string): bigint | undefined => {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (whole === undefined || decimals === undefined || fraction.length > decimals) return undefined;
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
};

/** With exactly as many decimals as the currency has. */
export const decimalText = (minor: bigint | number, currency: string): string => {
  const decimals = decimalsOf(currency) ?? 0;
  const value = BigInt(minor);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return value < 0n ? `-${text}` : text;
};
