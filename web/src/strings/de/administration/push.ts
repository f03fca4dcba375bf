import type { Administration } from '../../en/administration/index.ts'

export const push: Administration['push'] = {
  title: 'Auf deinen Geräten, auch wenn Parley geschlossen ist',
  devices: 'Geräte',
  turnOn: 'Für dieses Gerät einschalten',
  cannot:
    'Dieser Browser kann keine Benachrichtigungen empfangen, während Parley geschlossen ist. Füge Parley auf einem iPhone zuerst zum Home-Bildschirm hinzu.',
  noService: 'In diesem Browser ist kein Push-Dienst verfügbar.',
  since: (day) => `Eingeschaltet: ${day}`,
  failed: (reason) => `Die letzte Benachrichtigung ist fehlgeschlagen: ${reason}.`,
  test: 'Test senden',
  testOf: (device) => `Test an ${device} senden`,
  tested: 'Test gesendet',
  arrived: 'Benachrichtigungen funktionieren auf diesem Gerät.',
  end: 'Ausschalten',
  endOf: (device) => `Für ${device} ausschalten`,
  forMe: 'Direktnachrichten und Erwähnungen auf deinen Geräten',
  followed: 'Themen, denen du folgst, auf deinen Geräten',
  channels: 'Alle Nachrichten in deinen Kanälen auf deinen Geräten',
  whileThere: 'Geräte auch benachrichtigen, während du in Parley aktiv bist',
  quietHours: 'Ruhezeiten',
  quiet: 'Benachrichtigungen zu bestimmten Zeiten pausieren',
  quietMore: 'In der Zeitzone deines Profils. Benachrichtigungen aus dieser Zeit werden nicht nachgeholt.',
  quietTimes: { start: 'Von', end: 'Bis' },
  contentTitle: 'Inhalt der Benachrichtigungen',
  content: 'Nachrichtentext anzeigen',
  contentMore: 'Benachrichtigungen sind auf dem Weg zu deinem Gerät verschlüsselt.',
}
