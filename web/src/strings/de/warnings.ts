import type { Strings } from '../en/index.ts'
import { count, list } from './numbers.ts'

export const warnings: Strings['warnings'] = {
  label: 'Vor dem Senden',
  archived: 'Dieser Kanal ist archiviert. Niemand kann darin schreiben.',
  notSubscribed: (channel) => `Du bist ${channel} nicht beigetreten und siehst keine Antworten.`,
  resolved: 'Dieses Thema ist als erledigt markiert.',
  muted: 'Du hast dieses Thema stummgeschaltet und übersiehst vielleicht Antworten.',
  everybody: (people) => `Das benachrichtigt ${count(people, 'Person', 'Personen')}.`,
  everybodyInTopic: (people) =>
    `Das benachrichtigt alle, die in diesem Thema geschrieben haben: mindestens ${count(people, 'Person', 'Personen')}.`,
  tooMany: (people, holders) =>
    `Du darfst nicht ${count(people, 'Person', 'Personen')} auf einmal benachrichtigen. Erlaubt: ${list.format(holders)}.`,
  group: (name, holders) => `Du darfst ${name} nicht erwähnen. Erlaubt: ${list.format(holders)}.`,
  silence: 'Stumm erwähnen',
  mayNotWrite: (holders) => `Du darfst in diesem Kanal nicht schreiben. Erlaubt: ${list.format(holders)}.`,
  mayNotWriteTo: (holders) => `Du darfst hier nicht direkt schreiben. Erlaubt: ${list.format(holders)}.`,
  changePermissions: 'Ändern',
  gone: (names) =>
    `${list.format(names)} ${names.length === 1 ? 'ist' : 'sind'} nicht mehr dabei, und nicht zu erreichen.`,
  leaveOut: 'Weglassen',
  guests: (names, others) =>
    `Hier lesen Gäste mit: ${list.format(others === 0 ? names : [...names, count(others, 'weiterer', 'weitere')])}.`,
  understood: 'Verstanden',
  needsTopic: 'Nachrichten in diesem Kanal brauchen ein Thema.',
  noTopics: (topic) => `Dieser Kanal hat keine Themen außer ${topic}.`,
  moved: (where) => `Dieses Thema wurde verschoben: ${where}.`,
  writeThere: 'Dort schreiben',
  strangers: (names) =>
    `${list.format(names)} ${names.length === 1 ? 'ist' : 'sind'} dem Kanal nicht beigetreten und ${names.length === 1 ? 'wird' : 'werden'} nicht benachrichtigt.`,
  subscribe: 'Hinzufügen',
}
