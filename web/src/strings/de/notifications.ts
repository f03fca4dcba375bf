import type { Strings } from '../en/index.ts'

export const notifications: Strings['notifications'] = {
  title: 'Benachrichtigungen',
  desktop: 'Desktop',
  browser: 'Dieser Browser',
  allowed: 'Benachrichtigungen sind hier erlaubt.',
  refused:
    'Dieser Browser erlaubt hier keine Benachrichtigungen. Das lässt sich in seinen Einstellungen für diese Seite ändern.',
  allow: 'Benachrichtigungen erlauben',
  desktopForMe: 'Direktnachrichten und Erwähnungen',
  desktopFollowed: 'Nachrichten in Themen, denen ich folge',
  desktopChannels: 'Alle Nachrichten in meinen Kanälen',
  byChannel: 'Kanäle, für die du anderes gewählt hast, bleiben, wie sie sind.',
  content: 'Zeigen, was in Direktnachrichten steht',
  hidden: 'Hat dir eine Nachricht geschickt',
  sound: 'Ton',
  soundForMe: 'Ton für Direktnachrichten und Erwähnungen',
  soundFollowed: 'Ton für Themen, denen ich folge',
  soundChannels: 'Ton für alle Nachrichten in meinen Kanälen',
  soundName: 'Welcher Ton',
  chime: 'Zweiklang',
  ding: 'Pling',
  silence: 'Keiner',
  mentions: 'Erwähnungen',
  everybody: 'Erwähnungen aller gelten als Erwähnungen von mir',
}
