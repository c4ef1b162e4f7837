/** Messages about one-time codes that are sent again, no longer work, or are refused for a while. In both languages. */
import type { PageMessages } from './messages.js';

export interface SendingMessages {
  /** Beside the button; where it goes, if that is known. */
  readonly ready: (to: string | undefined) => string;
  readonly send: string;
  readonly sendAgain: string;
  /** Beside the button; the time is absent once another code may be asked for. */
  readonly noCode: (from: string | undefined) => string;
  /** Where it went and until when it works, as far as that is known. */
  readonly sent: (to: string | undefined, until: string | undefined) => string;
  readonly early: (from: string) => string;
  readonly full: (from: string) => string;
  readonly missing: Readonly<Record<'unsure' | 'over' | 'appOver' | 'otherOver', PageMessages>>;
  readonly closed: Readonly<Record<'paused' | 'full', (until: string) => PageMessages>>;
}

export const sendingEl: SendingMessages = {
  ready: (to) =>
    `Όταν πατήσετε το κουμπί, θα σας στείλουμε έναν κωδικό μίας χρήσης${to === undefined ? '' : ` στο ${to}`}.`,
  send: 'Αποστολή κωδικού',
  sendAgain: 'Αποστολή νέου κωδικού',
  noCode: (from) =>
    `Δεν ήρθε ο κωδικός; ${from === undefined ? 'Ζητήστε νέο.' : `Μπορείτε να ζητήσετε νέο από τις ${from}.`} Ισχύει μόνο ο τελευταίος.`,
  sent: (to, until) =>
    `Στείλαμε κωδικό${to === undefined ? '' : ` στο ${to}`}.${until === undefined ? '' : ` Ισχύει έως τις ${until}.`}`,
  early: (from) => `Περιμένετε λίγο. Μπορείτε να ζητήσετε νέο κωδικό από τις ${from}.`,
  full: (from) =>
    `Σας στείλαμε πολλούς κωδικούς τα τελευταία 15 λεπτά. Μπορείτε να ζητήσετε άλλον από τις ${from}.`,
  missing: {
    unsure: {
      title: 'Δεν ξέρουμε αν στάλθηκε ο κωδικός σας',
      text: 'Αν έρθει κωδικός, δεν θα ισχύει εδώ. Ζητήστε νέο.',
    },
    over: {
      title: 'Ο κωδικός σας δεν ισχύει πια',
      text: 'Έληξε ή έχει ήδη χρησιμοποιηθεί. Ζητήστε νέο.',
    },
    appOver: {
      title: 'Το αίτημα στην εφαρμογή της τράπεζας δεν ισχύει πια',
      text: 'Έληξε ή έχει ήδη απαντηθεί. Τίποτα δεν εγκρίθηκε. Στείλτε νέο.',
    },
    otherOver: {
      title: 'Η επιβεβαίωση δεν ισχύει πια',
      text: 'Έληξε ή έχει ήδη χρησιμοποιηθεί. Ξεκινήστε νέα.',
    },
  },
  closed: {
    paused: (until) => ({
      title: `Δεν δεχόμαστε κωδικούς μέχρι τις ${until}`,
      text: `Ο κωδικός ήταν λάθος πέντε φορές. Για την προστασία σας δεν ισχύει κανένας κωδικός πριν από τις ${until}. Δεν άλλαξε τίποτα: επιστρέψτε σε αυτή τη σελίδα μετά. Αν δεν δοκιμάσατε εσείς, ενημερώστε την τράπεζά σας.`,
    }),
    full: (until) => ({
      title: `Δεν στέλνουμε άλλον κωδικό μέχρι τις ${until}`,
      text: `Σας στείλαμε πολλούς κωδικούς τα τελευταία 15 λεπτά. Ανοίξτε ξανά αυτή τη σελίδα μετά τις ${until}. Αν δεν τους ζητήσατε εσείς, ενημερώστε την τράπεζά σας.`,
    }),
  },
};

export const sendingEn: SendingMessages = {
  ready: (to) => `When you press the button, we send a one-time code${to === undefined ? '' : ` to ${to}`}.`,
  send: 'Send the code',
  sendAgain: 'Send a new code',
  noCode: (from) =>
    `No code yet? ${from === undefined ? 'Ask for a new one.' : `You can ask for a new one from ${from}.`} Only the newest code works.`,
  sent: (to, until) =>
    `We sent a code${to === undefined ? '' : ` to ${to}`}.${until === undefined ? '' : ` It works until ${until}.`}`,
  early: (from) => `Wait a moment. You can ask for a new code from ${from}.`,
  full: (from) =>
    `We have sent you many codes in the last 15 minutes. You can ask for another one from ${from}.`,
  missing: {
    unsure: {
      title: 'We do not know whether your code was sent',
      text: 'If a code arrives, it does not work here. Ask for a new one.',
    },
    over: {
      title: 'Your code no longer works',
      text: 'It is too old, or it has been used. Ask for a new one.',
    },
    appOver: {
      title: 'The request in your bank’s app is over',
      text: 'It is too old, or it has been answered. Nothing has been approved. Send a new one.',
    },
    otherOver: {
      title: 'This confirmation is over',
      text: 'It is too old, or it has been used. Start a new one.',
    },
  },
  closed: {
    paused: (until) => ({
      title: `No code is accepted until ${until}`,
      text: `The code was wrong five times. To protect you, no code works before ${until}. Nothing has changed: come back to this page after that. If you did not try this yourself, tell your bank.`,
    }),
    full: (until) => ({
      title: `No other code is sent until ${until}`,
      text: `We have sent you many codes in the last 15 minutes. Open this page again after ${until}. If you did not ask for them, tell your bank.`,
    }),
  },
};
