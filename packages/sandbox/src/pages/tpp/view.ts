/** What the pages of the demo third party show: the shapes of what fills them, by the names that the pages use. */
import type { createDemoTpp } from '../../tpp/index.js';

export type { Misfit } from '../../tpp/callback.js';
export type { Webhook as WebhookView } from '../../tpp/news/webhooks.js';
export type { ButtonView, Group as GroupView } from '../../tpp/view.js';
export type {
  CallRecord as CallView,
  RedirectRecord as RedirectView,
  ShownField as NamedValue,
} from '../../tpp/walk.js';

/** Plays the third party. A browser is known by a secret, and sees its own walks only. */
export type ThirdParty = Omit<ReturnType<typeof createDemoTpp>, 'mount'>;
export type StartView = Awaited<ReturnType<ThirdParty['start']>>;
export type WalkView = NonNullable<Awaited<ReturnType<ThirdParty['view']>>>;
export type StepView = WalkView['steps'][number];
export type FieldView = WalkView['now']['buttons'][number]['fields'][number];
