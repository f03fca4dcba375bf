export const notifications = {
  hidden: 'Sent you a message',
}
