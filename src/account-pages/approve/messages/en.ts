/** The approval journey in English. The glossary is in messages.ts. */
import { appEn } from './app.js';
import { blockedEn } from './blocked.js';
import { sendingEn } from './codes.js';
import type { ApprovalMessages } from './messages.js';
import { ordersEn } from './orders.js';
import { outcomesEn } from './outcomes-en.js';
import { renewalEn } from './renewal.js';
import { replacedEn } from './replaced.js';
import { seenEn } from './seen.js';
import { termsEn } from './terms.js';
import { waysEn } from './ways.js';

const willSee = (permission: keyof typeof seenEn): string => `It will see ${seenEn[permission]}.`;

export const en: ApprovalMessages = {
  locale: 'en-GB',
  loginTitle: {
    title: 'Log in to see the request',
    text: 'An app asks for your approval. Log in to your bank to see what it wants. Nothing is approved by logging in.',
  },
  loggedInAs: (name) => `Logged in as ${name}`,
  notYou: 'Not you?',
  title: (kind, { app, amount }) =>
    ({
      AccountAccess: `${app} asks to see your accounts`,
      ConfirmationOfFunds: `${app} asks to check whether you have enough money`,
      PaymentInitiation: `Approve a payment of ${amount}`,
    })[kind],
  lead: {
    AccountAccess: 'Read what it will see, choose the accounts, then approve or refuse.',
    ConfirmationOfFunds: 'Read what it will ask, choose until when, then approve or refuse.',
    PaymentInitiation: 'Check the amount and the payee, then approve or refuse.',
  },
  impossible: {
    payment: (amount) => `A payment of ${amount} cannot be approved`,
    lead: 'The request cannot be approved: read why below. You can only refuse it.',
  },
  who: {
    heading: 'Who asks',
    app: 'App',
    provider: 'Provider',
    registration: 'Registration number',
    registered: 'Registered with the bank',
    purpose: 'Why, in the words of the app',
  },
  seen: seenEn,
  what: {
    heading: 'What it asks for',
    permissions: {
      AccountsBasic: willSee('AccountsBasic'),
      AccountsDetail: willSee('AccountsDetail'),
      Balances: willSee('Balances'),
      TransactionsBasic: willSee('TransactionsBasic'),
      TransactionsDetail: willSee('TransactionsDetail'),
      Statements: willSee('Statements'),
    },
    transactions: (from, to) =>
      `It will see transactions${from ? ` from ${from}` : ''}${to ? ` until ${to}` : from ? ' onwards' : ''}.`,
    recurring: (times) =>
      `It may fetch new data up to ${times === 1 ? 'once' : `${times} times`} a day on its own, and whenever you use it.`,
    once: 'It will see this once only.',
    funds: [
      'When you pay by card, the app will ask the bank whether the amount is available in your account.',
      'The bank answers only “yes” or “no”.',
    ],
    card: (lastFour) => `It is for your card that ends in ${lastFour}.`,
    cardNote: 'Note about the card',
    registrationNote: 'Message from the app',
  },
  payment: {
    amount: 'Amount',
    payee: 'Payee',
    payeeAccount: 'Payee’s account',
    payeeBank: 'Bank of the payee',
    message: 'Message',
    reference: 'Reference',
    product: 'Kind',
    products: { domestic: 'Euro transfer', international: 'International transfer' },
    charges: 'Charges',
    bearers: {
      sha: 'You pay your bank’s charges, the payee those of the other bank.',
      our: 'You pay all charges.',
      ben: 'The payee pays the charges.',
    },
    noCharges: 'No charges for you',
    total: 'Total from your account',
    conversion: 'Exchange',
    converted: (pay, amount, rate) => `You pay ${pay} for ${amount}, at ${rate}.`,
    rateHeld: 'The bank holds this rate for this payment.',
    totalIn: (currency) => `Total from an account in ${currency}`,
    terms: termsEn,
  },
  accounts: {
    heading: {
      AccountAccess: 'Which accounts it may see',
      ConfirmationOfFunds: 'Account',
      PaymentInitiation: 'From which account',
    },
    named: {
      AccountAccess: 'The app asked for these accounts. Untick any that you do not want it to see.',
      ConfirmationOfFunds: 'The app asked for this account.',
      PaymentInitiation: 'The app asked for this account.',
    },
    pick: {
      AccountAccess: 'Tick at least one account.',
      ConfirmationOfFunds: 'Choose one account.',
      PaymentInitiation: 'Choose the account that pays.',
    },
    cut: (shown) =>
      `You have more accounts; these are the first ${shown}. If the one you want is missing, ask the app to name it by its IBAN.`,
    balance: 'Balance',
    faults: {
      blocked: 'This account is blocked and cannot be used.',
      closed: 'This account is closed and cannot be used.',
      mayNotPay: 'You are not allowed to pay from this account.',
      currency: 'This account is in another currency and cannot pay this amount.',
      payee: 'This is the account of the payee.',
      funds: 'The balance does not cover this payment and its charges.',
    },
    foreignHeading: 'This request cannot be approved',
    foreign:
      'The app named an account that you do not hold. You can only refuse. Then ask the app to correct it.',
    noneHeading: 'This request cannot be approved',
    none: 'None of your accounts can be used for this request. You can only refuse.',
  },
  term: {
    heading: 'Until when',
    until: (date) => `The permission ends on ${date}.`,
    onceUntil: (date) => `It can do so until ${date}.`,
    open: 'The permission has no end date.',
    withdraw: 'You can withdraw the permission at any time.',
    payment: 'Your approval is for this payment alone.',
    paymentWithin: 'The app must use it within 24 hours.',
    proposed: (date) => `The app suggests ${date}. You decide.`,
    notProposed: 'The app suggests no end date. You decide.',
    untilDate: 'Until a date',
    date: 'Last day of the permission',
    dateHint: 'Today or later.',
    openEnded: 'Until I withdraw it',
  },
  replaced: replacedEn,
  not: {
    heading: 'What it does not allow',
    points: {
      AccountAccess: [
        'It cannot move money or pay.',
        'It does not see your other accounts.',
        'It does not learn your password or your codes.',
      ],
      ConfirmationOfFunds: [
        'It does not see your balance or your transactions.',
        'It cannot take or hold money.',
        'It does not learn your password or your codes.',
      ],
      PaymentInitiation: [
        'It cannot pay another amount or another payee.',
        'It cannot repeat the payment.',
        'It does not see your balance or your transactions.',
      ],
    },
  },
  code: {
    heading: 'Your code',
    label: 'One-time code',
    hint: 'Needed only to approve.',
    phone: 'Demo phone',
    phoneNote: 'Only in the sandbox: with a real bank the code comes to your own phone.',
    from: (sender) => `It comes from ${sender}.`,
    sent: 'Your one-time code is',
    sentFor: 'It is for this payment alone:',
    sending: sendingEn,
    app: appEn,
    ways: waysEn,
  },
  approve: 'Approve',
  refuse: 'Refuse',
  refuseOnly: 'Refuse the request',
  decideHint: 'If you refuse, the app is told so and nothing else happens.',
  errorPrefix: 'Error: ',
  errorHeading: 'There is a problem',
  faults: {
    account: 'Choose an account.',
    term: 'Choose until when the permission holds.',
    date: 'Enter the last day of the permission.',
    datePast: 'The last day of the permission must be today or later.',
    codeMissing: 'Enter the one-time code.',
    codeSpent: 'This code no longer works. Ask for a new one.',
    appRefused: appEn.refused,
    answerMissing: waysEn.missing,
    answerSpent: waysEn.spent,
    redirectRefused: waysEn.refused,
  },
  codeWrong: (left) =>
    `The code is not right. Check it and enter it again. You can try ${left === 1 ? 'once more' : `${left} more times`}.`,
  dateLate: (latest) => `The last day of the permission can be ${latest} at the latest.`,
  renewal: renewalEn,
  blocked: blockedEn,
  outcomes: outcomesEn,
  orders: ordersEn,
  suspended: (application) => ({
    title: 'This app is not available now',
    text: `The bank has stopped working with “${application}” for the time being. You cannot approve or refuse anything for it now. What you approved before is on the page of your permissions.`,
  }),
  notFound: {
    title: 'There is no such request',
    text: 'The link is wrong, or the request is for somebody else. Go back to the app and start again, or log in with other details.',
  },
  stranded: {
    'other-browser': {
      title: 'Go on where you began',
      text: 'The app opened this request in another browser or on another device, and it can be decided only there. If you did not begin it, do nothing: nothing has been approved.',
    },
    over: {
      title: 'The time for this request has passed',
      text: 'Nothing was approved. Go back to the app and start again. The old request will close by itself.',
    },
  },
  changed: {
    title: 'The request has changed',
    text: 'It is no longer what you saw, so nothing was approved. Look at it again before you decide.',
    again: 'Look at the request again',
  },
  staleForm: {
    title: 'This page is out of date',
    text: 'It was open in another window, or you have logged in again. Nothing was approved.',
    again: 'Open the request again',
  },
  unavailable: {
    title: 'The bank cannot answer right now',
    text: 'Try again later. If you have just decided, open the request again: it shows whether your decision was recorded.',
    again: 'Open the request again',
  },
  allPermissions: 'See all your permissions',
  back: (app) => `Back to ${app}`,
  close: 'You can close this page.',
  otherLogin: 'Log in with other details',
};
