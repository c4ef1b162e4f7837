/** What became of a request, in English. */
import type { ApprovalMessages } from './messages.js';

const late = {
  title: 'The request has expired',
  text: 'Nobody decided within 24 hours, so it was closed. Nothing was approved. Start again in the app if you want to.',
};

export const outcomesEn: ApprovalMessages['outcomes'] = {
  AccountAccess: {
    approved: {
      title: 'You have approved the request',
      text: 'The app may see the accounts you chose. You can withdraw the permission at any time.',
    },
    refused: { title: 'The request was refused', text: 'The app cannot see your accounts.' },
    late,
    withdrawn: {
      title: 'You have withdrawn the permission',
      text: 'The app can no longer see your accounts with this permission.',
    },
    expired: {
      title: 'The permission has ended',
      text: 'The app can no longer see your accounts with this permission.',
    },
    ended: {
      title: 'The app has ended the request',
      text: 'The app cannot see your accounts with this request.',
    },
  },
  ConfirmationOfFunds: {
    approved: {
      title: 'You have approved the request',
      text: 'The app may ask whether an amount is available. You can withdraw the permission at any time.',
    },
    refused: {
      title: 'The request was refused',
      text: 'The app cannot check whether an amount is available.',
    },
    late,
    withdrawn: {
      title: 'You have withdrawn the permission',
      text: 'The app can no longer check amounts with this permission.',
    },
    expired: {
      title: 'The permission has ended',
      text: 'The app can no longer check amounts with this permission.',
    },
    ended: {
      title: 'The app has ended the request',
      text: 'The app cannot check whether an amount is available.',
    },
  },
  PaymentInitiation: {
    approved: {
      title: 'You have approved the payment',
      text: 'The app can now have it carried out. It must do so within 24 hours.',
    },
    refused: { title: 'The payment was refused', text: 'No money has left your account.' },
    late,
    withdrawn: { title: 'You have withdrawn your approval', text: 'No money has left your account.' },
    expired: {
      title: 'This approval is over',
      text: 'The app did not send the payment to the bank. No money has left your account.',
    },
    ended: { title: 'The app has ended the request', text: 'No money has left your account.' },
  },
};
