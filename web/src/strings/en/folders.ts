import { count } from './numbers.ts'

export const folders = {
  title: 'Channel folders',
  create: 'New folder',
  edit: 'Edit folder',
  editOf: (name: string) => `Edit ${name}`,
  save: 'Save',
  archiveOf: (name: string) => `Archive ${name}`,
  wasArchived: (name: string) => `The folder ${name} is archived`,
  notEmpty: (name: string) => `Take all channels out of ${name} to archive it.`,
  archived: 'Archived',
  restore: 'Restore',
  restoreOf: (name: string) => `Restore ${name}`,
  empty: 'No folders yet',
  emptyMore: 'Folders group channels in the sidebar of everybody.',
  channels: (number: number) => count(number, 'channel', 'channels'),
  put: 'Put into a folder',
  isIn: (channel: string, folder: string) => `${channel} is in the folder ${folder} now`,
  isInNone: (channel: string) => `${channel} is in no folder now`,
}
