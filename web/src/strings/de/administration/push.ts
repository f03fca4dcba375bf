import type { Administration } from '../../en/administration/index.ts'

export const push: Administration['push'] = {
  title: 'Auf deinen Geräten, auch wenn Parley geschlossen ist',
  devices: 'Geräte, die benachrichtigt werden',
  turnOn: 'Für dieses Gerät einschalten',
  cannot:
    'Dieser Browser kann nicht benachrichtigt werden, während Parley geschlossen ist. Füge Parley auf einem iPhone zuerst zum Home-Bildschirm hinzu.',
  noService: 'Dieser Browser hat keinen Dienst gefunden, der ihm Benachrichtigungen bringt.',
  since: (day) => `Eingeschaltet: ${day}`,
  failed: (reason) => `Die letzte Benachrichtigung kam nicht an: ${reason}.`,
  test: 'Testen',
  testOf: (device) => `Einen Test an ${device} senden`,
  tested: 'Der Test ist unterwegs.',
  arrived: 'Benachrichtigungen kommen auf diesem Gerät an.',
  end: 'Ausschalten',
  endOf: (device) => `Für ${device} ausschalten`,
  forMe: 'Direktnachrichten und Erwähnungen auf meinen Geräten',
  followed: 'Themen, denen ich folge, auf meinen Geräten',
  channels: 'Alle Nachrichten in meinen Kanälen auf meinen Geräten',
  whileThere: 'Auf meinen Geräten auch, während ich in Parley aktiv bin',
  quietHours: 'Ruhezeiten',
  quiet: 'Zu bestimmten Zeiten ruhig sein',
  quietMore: 'Sie gelten in der Zeitzone deines Profils. Was in dieser Zeit kommt, wird später nicht gemeldet.',
  quietTimes: { start: 'Von', end: 'Bis' },
  contentTitle: 'Was Benachrichtigungen sagen',
  content: 'Sagen, was in Nachrichten steht',
  contentMore: 'Benachrichtigungen sind auf dem Weg zu deinem Gerät verschlüsselt.',
}
