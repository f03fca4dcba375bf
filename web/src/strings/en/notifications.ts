export const notifications = {
  hidden: 'New message',
}
