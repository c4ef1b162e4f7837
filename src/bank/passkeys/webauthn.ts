/** The library, loaded at the first use of a passkey: its hundred modules are a fifth of a start. */
export const webauthn = () => import('@simplewebauthn/server');

export const webauthnReaders = () => import('@simplewebauthn/server/helpers');
