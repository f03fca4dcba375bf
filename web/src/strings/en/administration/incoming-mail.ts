export const incomingMail = {
  title: 'Channel email address',
  more: 'Anyone who knows this address can post in the channel by email, as long as you can post there. It’s yours alone, so share it only with people you trust. Automatic emails, such as out-of-office replies, aren’t posted.',
  show: 'Show email address',
  copy: 'Copy email address',
  renew: 'Create new email address',
  renewSure:
    'Create a new email address? Every existing email address for this channel stops working, including other people’s.',
  renewed: 'New email address created',
  none: 'This server doesn’t receive email. The operator can turn it on.',
}
