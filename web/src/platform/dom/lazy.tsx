import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'

/**
 * A component that is loaded when it is first shown. What was shown before stands in its place until it is there.
 * @param otherwise is shown meanwhile; a line that says so, unless told
 */
export function lazily<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  otherwise: () => ComponentChildren = () => <p class="empty">{t().app.loading}</p>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded === undefined ? 'loading' : 'loaded')
    useEffect(() => {
      if (state !== 'loading') return
      load().then(
        (component) => {
          loaded = component
          setState('loaded')
        },
        () => setState('failed'),
      )
    }, [state])
    if (loaded !== undefined) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    if (state !== 'failed') return otherwise()
    return (
      <div class="empty" role="alert">
        <strong>{t().app.failed}</strong>
        <button class="button" onClick={() => setState('loading')}>
          {t().app.retry}
        </button>
      </div>
    )
  }
}
