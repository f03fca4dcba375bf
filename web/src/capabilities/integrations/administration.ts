import { ta } from '../../kernel/administration.ts'
import type { SettingsSection } from '../../kernel/setting.ts'
import { store } from '../../platform/client.ts'
import { partOf } from './parts/integration.tsx'
import { SERVICES } from './state.ts'

export const sections: readonly SettingsSection[] = [
  {
    id: 'integrations',
    of: 'organization',
    title: () => ta().integrations.title,
    icon: 'link',
    when: () => !store().read('is_guest'),
    groups: [
      {
        title: () => ta().integrations.incoming,
        settings: SERVICES.map((service) => ({
          id: service,
          kind: 'part',
          isBeside: true,
          title: () => ta().integrations.services[service].title,
          note: () => ta().integrations.services[service].about,
          Part: partOf(service),
        })),
      },
    ],
  },
]
