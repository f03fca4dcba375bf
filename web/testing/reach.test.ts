import { expect, it } from 'vitest'
import { reachabilityOf } from '../src/capabilities/invitations/reach.ts'

it.each([
  ['machine', 'localhost acme.localhost localhost. 127.0.0.1 127.1 127.8.8.8 0.0.0.0 [::1] [::] [::ffff:127.0.0.1]'],
  ['network', '10.0.0.8 172.16.0.1 172.31.255.1 192.168.1.20 169.254.3.4 100.64.0.1 100.127.9.9 [fd12::1] [fe80::1]'],
  ['network', 'chat chat.local chat.lan chat.internal chat.home.arpa'],
  ['anywhere', 'chat.example.org localhost.example.org mylocalhost.org 172.32.0.1 172.15.0.1 100.128.0.1 11.0.0.1'],
  ['anywhere', '128.0.0.1 193.168.1.1 [2001:db8::1] 10.example.org fd.example.org chat.localdomain.org'],
])('classifies the reach of a link as "%s" for the hosts %s', (reach, hosts) => {
  const found = hosts
    .split(' ')
    .flatMap((host) =>
      ['http://X', 'https://X/', 'http://X:8800/join#t'].map((address) => reachabilityOf(address.replace('X', host))),
    )
  expect(new Set(found)).toEqual(new Set([reach]))
})
