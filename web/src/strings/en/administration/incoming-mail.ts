export const incomingMail = {
  title: 'E-mail address of the channel',
  more: 'Who knows this address can write into the channel by e-mail, for as long as you may write there. It is yours alone: pass it on only to those you trust. What programs send by themselves, such as notices and absence notes, does not appear in the channel.',
  show: 'Show the e-mail address',
  copy: 'Copy the e-mail address',
  renew: 'New e-mail address',
  renewSure:
    'All e-mail addresses of this channel stop working at once, also those that others were given. Whoever needs one has to be shown the new one.',
  renewed: 'New e-mail address made',
  none: 'This server takes no e-mail. Whoever runs it can switch that on.',
}
