import type { Strings } from '../en/index.ts'
import { count, list } from './numbers.ts'

export const warnings: Strings['warnings'] = {
  label: 'Vor dem Senden',
  archived: 'Dieser Kanal ist archiviert. Niemand kann darin schreiben.',
  notSubscribed: (channel) => `Du hast ${channel} nicht abonniert und siehst keine Antworten.`,
  resolved: 'Dieses Thema ist als erledigt markiert.',
  muted: 'Du hast dieses Thema stummgeschaltet und übersiehst vielleicht Antworten.',
  everybody: (people) => `Das benachrichtigt ${count(people, 'Person', 'Personen')}.`,
  everybodyInTopic: 'Das benachrichtigt alle, die in diesem Thema geschrieben haben.',
  strangers: (names) =>
    `${list.format(names)} ${names.length === 1 ? 'hat' : 'haben'} den Kanal nicht abonniert und ${names.length === 1 ? 'wird' : 'werden'} nicht benachrichtigt.`,
  subscribe: 'Hinzufügen',
}
