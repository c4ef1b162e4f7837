/** What every page knows: where the service is reached, which version it is, and whether it is the sandbox. */
export interface Frame {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly version: string;
  readonly isSandbox: boolean;
  /** A sandbox may stand in front of a bank whose accounts are real. */
  readonly isTestBank: boolean;
  /** Where account holders log in, if not on a form of ours. */
  readonly loginStart: string | undefined;
  /** The address of a page on this host: the service may live below a path. */
  href(path: string): string;
}

export const frameOf = (
  baseUrl: string,
  version: string,
  environment: Pick<Frame, 'isSandbox' | 'isTestBank'>,
  loginStart?: string,
): Frame => {
  const { isSandbox, isTestBank } = environment;
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = URL.canParse(base) ? new URL(base).pathname.replace(/\/+$/, '') : '';
  return { baseUrl: base, version, isSandbox, isTestBank, loginStart, href: (path) => `${prefix}${path}` };
};
