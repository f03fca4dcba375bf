import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { flagsInEvents, createTeam } from './testing/flags.ts'

const server = useTestServer()

it('flags messages that contain an alert word as a whole word', async () => {
  const { owner, ann, bob, otto } = await createTeam(server())
  await ann.call('POST', '/users/me/alert_words', {
    alert_words: ['deploy', 'c++', 'два слова', 'Straße', 'é', '部署', 'ก้าว'],
  })
  await otto.call('POST', '/users/me/alert_words', { alert_words: ['deploy'] })
  const flags = (content: string) => flagsInEvents([ann, bob, otto], () => owner.send('team', 'hello', content))
  for (const content of [
    'We DEPLOY now',
    '**dep**loy',
    '(deploy)',
    'deploy!',
    '> deploy',
    '`deploy`',
    '```\nx = deploy\n```',
    '[deploy](https://example.com)',
    '* deploy',
    'I write C++.',
    'Тут два слова, да',
    'STRASSE oder straße',
    'e\u0301',
    '❤️deploy',
    '今天部署完成',
    'v2部署v3',
    '今天deploy完成',
    '_deploy_',
    'เธอก้าวไป',
  ]) {
    expect([content, await flags(content)]).toEqual([content, [['has_alert_word'], [], undefined]])
  }
  for (const content of [
    'deployed',
    'redeploy',
    'de ploy',
    'https://example.com/deploy',
    '[here](https://example.com/deploy)',
    'c++x',
    'два',
    'словадва слова',
    'café',
    'deploy\u0301',
    'x_deploy deploy_x',
    '😀',
  ]) {
    expect([content, await flags(content)]).toEqual([content, [[], [], undefined]])
  }
})

it('stops flagging messages that contain a removed alert word', async () => {
  const { owner, ann, bob } = await createTeam(server())
  await ann.call('POST', '/users/me/alert_words', { alert_words: ['lunch', 'lunchtime'] })
  await bob.call('POST', '/users/me/alert_words', { alert_words: ['lunch'] })
  await ann.call('DELETE', '/users/me/alert_words', { alert_words: ['lunch'] })
  const flags = (content: string) => flagsInEvents([ann, bob], () => owner.send('team', 'hello', content))
  expect(await flags('lunch')).toEqual([[], ['has_alert_word']])
  expect(await flags('lunchtime')).toEqual([['has_alert_word'], []])
})
