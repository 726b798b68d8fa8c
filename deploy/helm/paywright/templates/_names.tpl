{{- define "paywright.labels" -}}
{{ include "paywright.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | replace ":" "-" | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | quote }}
{{- end }}

{{- /* Of a part, or of all parts where none is named. Never changed: a Deployment's selector cannot be. */ -}}
{{- define "paywright.selector" -}}
app.kubernetes.io/part-of: paywright
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .name }}
app.kubernetes.io/name: {{ . }}
{{- end }}
{{- end }}

{{- define "paywright.fullname" -}}
{{ printf "%s-%s" .root.Release.Name .name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "paywright.image" -}}
{{- $repository := required "image.repository is not set: name where you pushed the image that deploy/Dockerfile builds. Paywright has no public image." .Values.image.repository -}}
{{- $tag := required "image.tag is not set: name the version that you pushed. There is no default, so that nothing is updated unasked." .Values.image.tag -}}
{{- if hasPrefix "sha256:" $tag }}{{ $repository }}@{{ $tag }}{{ else }}{{ $repository }}:{{ $tag }}{{ end }}
{{- end }}

{{- /* The ports at which the brokers are, each once. */ -}}
{{- define "paywright.brokerPorts" -}}
{{- $ports := list -}}
{{- range .Values.kafka.brokers }}{{ $ports = append $ports (splitList ":" . | last | int) }}{{ end -}}
{{- range .Values.networkPolicy.kafka.ports }}{{ $ports = append $ports (int .) }}{{ end -}}
{{- $ports | uniq | toJson -}}
{{- end }}
