/** A form of the portal that is one button. */
import { formAction } from 'trapeza/pages';
import type { View } from './portal-view.js';
import { PORTAL } from './sessions.js';

export const actionOf = ({ frame, formToken }: View, act: string): string =>
  formAction(frame.href(`${PORTAL}/${act}`), formToken);

/** A form that is one button, with what it sends along. */
export const Act = (props: {
  readonly view: View;
  readonly act: string;
  readonly label: string;
  readonly isSecond?: boolean;
  readonly fields?: Readonly<Record<string, string>>;
}) => (
  <form method="post" action={actionOf(props.view, props.act)}>
    {Object.entries(props.fields ?? {}).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <p class="actions">
      <button class={props.isSecond ? 'button second' : 'button'} type="submit">
        {props.label}
      </button>
    </p>
  </form>
);
