/** Forms: fields, choices, errors beside them and the summary at the top, buttons side by side. */
export const forms = `
.flow { max-width: var(--width-flow); margin-inline: auto; }
.flow h1 { font-size: clamp(1.5rem, 1.3rem + 1vw, 2rem); text-wrap: pretty; }
.flow h2 { font-size: 1.25rem; }
.flow .page-head { padding-bottom: var(--gap-3); }
.block { display: block; }

.field > * + * { margin-top: 4px; }
.field label { display: block; font-weight: 600; }
.field input {
  width: 100%; max-width: 22rem; min-height: 48px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--radius-small);
  background: var(--paper); color: var(--ink); font: inherit;
}
.field input[type='date'] { max-width: 14rem; }
.field.wrong input { border: 2px solid var(--bad); }
.hint { color: var(--ink-quiet); font-size: 0.9375rem; }
.field-error { color: var(--bad); font-weight: 600; }
.login-form { max-width: 24rem; }
.login-form .field + .field { margin-top: var(--gap-3); }
.login-form .actions { margin-top: var(--gap-3); }
.login-form .field input { max-width: none; }
.login-form .button { width: 100%; min-height: 48px; }

.demo-people { border-left: 4px solid var(--notice); border-radius: var(--radius-small); background: var(--notice-soft); padding: 10px var(--gap-2); }
.demo-people > * + * { margin-top: 8px; }
.demo-people ul { padding: 4px var(--gap-2) 12px; }
.demo-people li { padding: 6px 0; }
.demo-people code { color: var(--ink); font-weight: 600; user-select: all; }

fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
fieldset > * + * { margin-top: 8px; }
fieldset > legend { padding: 0; }
fieldset > .field-error { margin-top: 12px; }

.choice { display: flex; align-items: center; gap: 12px; min-height: var(--target); cursor: pointer; }
.choice input, .pick input { flex: none; width: 22px; height: 22px; margin: 0; accent-color: var(--accent); }
.inset { margin-left: 10px; padding: 4px 0 8px 24px; border-left: 2px solid var(--line); }

.error-summary { margin-bottom: var(--gap-3); border: 2px solid var(--bad); padding: var(--gap-2) var(--gap-3); }
.error-summary h2 { font-size: 1.125rem; }
.error-summary a { display: inline-flex; align-items: center; min-height: var(--target); color: var(--bad); font-weight: 600; }

.link-button { min-height: var(--target); padding: 0; border: 0; background: none; color: var(--accent); font: inherit; text-decoration: underline; text-underline-offset: 3px; cursor: pointer; }
.link-button:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
.send-again { display: flex; flex-wrap: wrap; align-items: center; column-gap: var(--gap-2); }
`;
