import { call, type Answer } from '@parley/client'
import { organizations } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { SESSION } from '../../platform/sync/sync.ts'
import { retryWhenThrottled } from './patience.ts'

type Provider = Answer<typeof organizations.getServerSettings>['external_authentication_methods'][number]

interface ProvidersProps {
  readonly labelOf: (provider: string) => string
  /** Token of an invitation, for people without an account. */
  readonly token?: string | undefined
}

export function Providers({ labelOf, token }: ProvidersProps) {
  const [providers, setProviders] = useState<readonly Provider[]>([])
  useEffect(() => {
    // Without the list of providers, the form still works.
    const nothing = (): void => undefined
    retryWhenThrottled(async () => call(SESSION, organizations.getServerSettings, {}), nothing).then(
      ({ external_authentication_methods: methods }) => setProviders(methods),
      nothing,
    )
  }, [])
  return (
    <>
      {providers.map(({ name, display_name: provider, login_url: address }) => (
        <a key={name} class="button" href={token === undefined ? address : `${address}#${token}`}>
          {labelOf(provider)}
        </a>
      ))}
    </>
  )
}
