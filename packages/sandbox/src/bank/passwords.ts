/** The demo passwords as the demo bank keeps them. Hashing takes long on purpose, so it is not done anew at every start. */
export const passwordHashes: Readonly<Record<string, string>> = {
  eleni: 'RvMCup-gj-SQ6wQDueCNC-loVpGyYP_w9Ri6wi0w62U',
  nikos: 'yLb-MGOmhfRkNB9-AYpIp0ngmKxWbhAEu14TCNLKJrw',
  maria: '291mEeL6XiPn45gXcOw8Jp4-XQllQ8vFWeTD5dcqI-Y',
  giorgos: '6LKFrFf5awcyH54HNdXolihZg6wI_-d6oBaVvzSROuM',
  katerina: 'JhsMGxNo_2tGw0RVg4sHhAUhspDqVlU1BoaKnkflN6U',
  dimitris: 'a8nXk2soHJYj1BSl1tZ89AkBBa6BkgiZ4a9dwKZWo6M',
  sofia: 'QoLpPhRD53AL27yA89OTxqRGwkDAjnWZ_grUZnDaMxc',
  kostas: 'a_SICkzo5JaBgHkM8WwpL-SqWCxVTV0lnPm1hnrIhlU',
  anna: 'mMZU4wnGwxhFHd-O9xlEHrqT-1OrrEMmN75OAcRT3zY',
  petros: 'sYJB1zgNKBBgjyKzlrYUALarLzs9mdYdJ3_wdQ1zQv8',
  ioanna: '6DewbnV68EM_C_vExs1ocG_4m0l9juxTsyi01HQNsRI',
  vasilis: 'B9eI6d7gomgyJ2ctjnLoyVP0YR1spfsIBNfwr1K74XA',
  manolis: 'xLTBhJhxX0R67to6gIowT1FBfWFbFkJxW5X1w22XMXo',
  fani: 'gLkfS2mAE0lMYK-V5HfXse0_0sFdc9IxF_8EtaBoqI8',
  thanos: 'BT4yX1Lu4iwOMokYeRw1ABve2hDC-bq_ttww4s_9joo',
  lefteris: '0SjrRJmhBabAhyiVNSJN04Jkxh5hjmrizNInhzfi1UA',
};
