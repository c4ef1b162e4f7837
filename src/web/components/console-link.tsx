/** A link to the console that takes credentials along: the script keeps them in this tab. Without script it is a plain link. */

/** Under the names by which the samples know them. */
interface Credentials {
  readonly clientId: string;
  readonly key: string;
  readonly clientSecret?: string | undefined;
}

interface Props {
  /** Below which path of this host the console's service lives. */
  readonly prefix: string;
  readonly text: string;
  readonly credentials: Credentials;
}

/** A call that shows what an application gets with a consent. */
const OPERATION = '/docs/piis/confirm-funds';

export const ConsoleLink = ({ prefix, text, credentials: { clientId, key, clientSecret } }: Props) => (
  <a
    class="button"
    href={`${prefix}${OPERATION}#console`}
    data-prefix={prefix}
    data-tab={JSON.stringify({
      SUBSCRIPTION_KEY: key,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    })}
  >
    {text}
  </a>
);
