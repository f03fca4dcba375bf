import type { Sample } from './sample.ts'

export const SAMPLES: readonly Sample[] = [
  {
    service: 'uptimekuma',
    what: 'down',
    body: {
      heartbeat: {
        monitorID: 1,
        status: 0,
        time: '2026-11-25 10:00:00',
        msg: 'timeout',
        important: true,
        duration: 60,
      },
      monitor: { id: 1, name: 'Shop', url: 'https://shop.example', type: 'http' },
      msg: '[Shop] [🔴 Down] timeout',
    },
    topic: 'Shop',
    content: '🔥 [Shop](https://shop.example/) is down.\n\n```quote\ntimeout\n```',
  },
  {
    service: 'uptimekuma',
    what: 'up',
    body: {
      heartbeat: { monitorID: 1, status: 1, msg: '200 - OK', ping: 41.6 },
      monitor: { id: 1, name: 'Shop', url: null, type: 'ping' },
      msg: '[Shop] [✅ Up] 200 - OK',
    },
    topic: 'Shop',
    content: '✅ Shop is up (42 ms).',
  },
  {
    service: 'uptimekuma',
    what: 'connection test',
    body: { heartbeat: null, monitor: null, msg: 'Chat Testing' },
    topic: 'Uptime Kuma',
    content: 'Chat Testing',
  },
  {
    service: 'uptimekuma',
    what: 'pending',
    body: { heartbeat: { status: 2, msg: 'timeout' }, monitor: { name: 'Shop' }, msg: '' },
    topic: 'Shop',
    content: '⏳ Shop is not responding yet.\n\n```quote\ntimeout\n```',
  },
  {
    service: 'uptimekuma',
    what: 'maintenance',
    body: { heartbeat: { status: 3, msg: '' }, monitor: { name: 'Shop' }, msg: '' },
    topic: 'Shop',
    content: '🔧 Shop is under maintenance.',
  },
]
