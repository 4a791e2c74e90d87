import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules', '.venv', 'gas/dist', 'data'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Tests and stand-ins implement async interfaces with nothing to await.
      '@typescript-eslint/require-await': 'off'
    }
  },
  {
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' }
  },
  {
    files: ['sandbox/page/**/*.js', 'bot/entry/status/site/**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'window', 'fetch', 'EventSource', 'WebSocket', 'AudioContext', 'URL', 'URLSearchParams', 'setTimeout', 'clearTimeout',
          'setInterval', 'clearInterval', 'localStorage', 'location', 'history', 'navigator', 'console', 'matchMedia', 'requestAnimationFrame',
          'AudioDecoder', 'EncodedAudioChunk', 'Audio', 'FormData', 'Blob', 'CustomEvent', 'HTMLElement', 'customElements', 'structuredClone',
          'performance', 'AbortController', 'crypto', 'atob', 'btoa', 'TextDecoder', 'TextEncoder', 'queueMicrotask', 'Intl'].map((name) => [name, 'readonly'])
      )
    }
  }
)
