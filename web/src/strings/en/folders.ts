import { count } from './numbers.ts'

export const folders = {
  title: 'Channel folders',
  create: 'Create folder',
  edit: 'Edit folder',
  editOf: (name: string) => `Edit ${name}`,
  save: 'Save',
  archiveOf: (name: string) => `Archive ${name}`,
  wasArchived: (name: string) => `Folder ${name} archived`,
  notEmpty: (name: string) => `Remove all channels from ${name} to archive it.`,
  archived: 'Archived',
  restore: 'Restore',
  restoreOf: (name: string) => `Restore ${name}`,
  empty: 'No folders yet',
  emptyMore: 'Folders group channels in everyone’s sidebar.',
  channels: (number: number) => count(number, 'channel', 'channels'),
  put: 'Move to folder',
  isIn: (channel: string, folder: string) => `${channel} moved to ${folder}`,
  isInNone: (channel: string) => `${channel} removed from folder`,
}
