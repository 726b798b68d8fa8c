{{- /* What every pod has: an ordinary user, no rights, nothing to write to but /tmp, and secrets as files. */ -}}
{{- define "paywright.podSettings" -}}
{{- $values := .Values -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with $values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
# The image's user `node`, by number: of a name the kubelet cannot tell whether it is root.
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "paywright.containerSettings" -}}
image: {{ include "paywright.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "paywright.mounts" -}}
{{- $kafka := .root.Values.kafka -}}
- { name: tmp, mountPath: /tmp }
- { name: database, mountPath: /secrets/database, readOnly: true }
{{- if $kafka.tls.secret }}
- { name: kafka-tls, mountPath: /secrets/kafka-tls, readOnly: true }
{{- end }}
{{- if $kafka.sasl.mechanism }}
- { name: kafka-sasl, mountPath: /secrets/kafka-sasl, readOnly: true }
{{- end }}
{{- if .secrets }}
- { name: paywright, mountPath: /secrets/paywright, readOnly: true }
{{- end }}
{{- if and .service .root.Values.tracing.secret }}
- { name: tracing, mountPath: /secrets/tracing, readOnly: true }
{{- end }}
{{- if include "paywright.ratesOf" . }}
- { name: rates, mountPath: /rates, readOnly: true }
{{- end }}
{{- end }}

{{- define "paywright.volumes" -}}
{{- $values := .root.Values -}}
# tmp is for the compile cache. 288 is 0440: the group of the security context reads.
- { name: tmp, emptyDir: { sizeLimit: {{ dig "service" "tmp" "256Mi" . }} } }
- name: database
  secret:
    secretName: {{ required "database.secret is not set: name the secret that holds the address of the database." $values.database.secret }}
    defaultMode: 288
{{- with $values.kafka.tls.secret }}
- { name: kafka-tls, secret: { secretName: {{ . }}, defaultMode: 288 } }
{{- end }}
{{- if $values.kafka.sasl.mechanism }}
- name: kafka-sasl
  secret:
    secretName: {{ required "kafka.sasl.secret is not set: name the secret that holds username and password." $values.kafka.sasl.secret }}
    defaultMode: 288
{{- end }}
{{- if .secrets }}
- name: paywright
  secret:
    secretName: {{ required "secrets.secret is not set: name the secret that holds master-key and admin-tokens." $values.secrets.secret }}
    defaultMode: 288
    items:
      {{- range .secrets }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}
{{- if and .service $values.tracing.secret }}
- { name: tracing, secret: { secretName: {{ $values.tracing.secret }}, defaultMode: 288 } }
{{- end }}
{{- with include "paywright.ratesOf" . }}
- { name: rates, configMap: { name: {{ . }} } }
{{- end }}
{{- end }}

{{- /* The config map of exchange rates that a service reads; none of a job. */ -}}
{{- define "paywright.ratesOf" -}}
{{- if dig "service" "valuesMoney" false . }}{{ .root.Values.exchangeRates.configMap }}{{ end -}}
{{- end }}
