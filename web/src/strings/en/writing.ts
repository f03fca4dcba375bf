export const writing = {
  empty: 'Nothing is waiting to be sent',
  delete: 'Delete',
  deleted: 'The draft was deleted',
  drafts: 'Drafts',
  scheduled: 'To be sent',
  reminders: 'Reminders',
  failed: 'Could not be sent',
  outbox: 'Not sent yet',
  old: 'Earlier versions',
  restore: 'Restore',
}
