import type { Strings } from '../en/index.ts'
import { count, list } from './numbers.ts'

export const warnings: Strings['warnings'] = {
  label: 'Vor dem Senden',
  archived: 'Dieser Kanal ist archiviert. Niemand kann darin schreiben.',
  notSubscribed: (channel) => `Du bist ${channel} nicht beigetreten und siehst keine Antworten.`,
  resolved: 'Dieses Thema ist als erledigt markiert.',
  muted: 'Du hast dieses Thema stummgeschaltet und verpasst vielleicht Antworten.',
  everybody: (people) => `Das benachrichtigt ${count(people, 'Person', 'Personen')}.`,
  everybodyInTopic: (people) =>
    `Das benachrichtigt alle, die in diesem Thema geschrieben haben: mindestens ${count(people, 'Person', 'Personen')}.`,
  tooMany: (people, holders) =>
    `Du kannst nicht ${count(people, 'Person', 'Personen')} auf einmal benachrichtigen. Erlaubt: ${list.format(holders)}.`,
  group: (name, holders) => `Du kannst ${name} nicht erwähnen. Erlaubt: ${list.format(holders)}.`,
  silence: 'Stumm erwähnen',
  mayNotWrite: (holders) => `Du kannst in diesem Kanal nicht schreiben. Erlaubt: ${list.format(holders)}.`,
  mayNotWriteTo: (holders) => `Du kannst hier keine Direktnachrichten senden. Erlaubt: ${list.format(holders)}.`,
  changePermissions: 'Berechtigungen ändern',
  gone: (names) =>
    `${list.format(names)} ${names.length === 1 ? 'hat' : 'haben'} die Organisation verlassen und ${names.length === 1 ? 'kann' : 'können'} keine Nachrichten empfangen.`,
  leaveOut: 'Entfernen',
  guests: (names, others) =>
    `Hier lesen Gäste mit: ${list.format(others === 0 ? names : [...names, count(others, 'weiterer', 'weitere')])}.`,
  understood: 'Verstanden',
  needsTopic: 'Nachrichten in diesem Kanal brauchen ein Thema.',
  noTopics: (topic) => `Dieser Kanal erlaubt nur das Thema ${topic}.`,
  moved: (where) => `Dieses Thema wurde verschoben: ${where}.`,
  writeThere: 'Dieses Thema verwenden',
  strangers: (names) =>
    `${list.format(names)} ${names.length === 1 ? 'ist' : 'sind'} nicht in diesem Kanal und ${names.length === 1 ? 'wird' : 'werden'} nicht benachrichtigt.`,
  subscribe: 'Hinzufügen',
}
