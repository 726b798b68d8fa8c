{{- define "paywright.labels" -}}
{{ include "paywright.podLabels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | quote }}
{{- end }}

{{- /* Without the chart's version: another chart alone is no reason to start a pod again. */ -}}
{{- define "paywright.podLabels" -}}
{{ include "paywright.selector" . }}
app.kubernetes.io/version: {{ include "paywright.tag" . | replace ":" "-" | trunc 63 | trimAll "-_." | quote }}
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

{{- /* Said before the job prepare runs: the server would refuse a Service or the second object of a name, and only after it. */ -}}
{{- define "paywright.refuseName" -}}
{{- $release := .Release.Name -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $release) }}{{ fail (printf "The name of the release, %s, is no name for a Service: begin with a letter, and use lower-case letters, digits and hyphens alone." $release) }}{{ end -}}
{{- $names := list -}}
{{- range concat (keys .Values.services) (list "prepare" "recovery" "erasures" "republish") }}{{ $names = append $names (include "paywright.fullname" (dict "root" $ "name" .)) }}{{ end -}}
{{- if ne (len $names) (len (uniq $names)) }}{{ fail (printf "The name of the release, %s, is too long: of names that are cut at 52 characters, two parts would have the same." $release) }}{{ end -}}
{{- end }}

{{- /* The version of a part: the former one, where the rollout has not come to it yet. What is no service comes first. */ -}}
{{- define "paywright.tag" -}}
{{- $tag := required "image.tag is not set: name the version that you pushed. There is no default, so that nothing is updated unasked." .root.Values.image.tag -}}
{{- $rollout := .root.Values.rollout -}}
{{- $service := get .root.Values.services (default "" .name) -}}
{{- if and $service (gt (int (dig "stage" 1 $service)) (int $rollout.stage)) -}}
{{ required "rollout.formerTag is not set: name the version that services of later stages run still." $rollout.formerTag }}
{{- else -}}
{{ $tag }}
{{- end }}
{{- end }}

{{- define "paywright.image" -}}
{{- $repository := required "image.repository is not set: name where you pushed the image that deploy/Dockerfile builds. Paywright has no public image." .root.Values.image.repository -}}
{{- $tag := include "paywright.tag" . -}}
{{- if hasPrefix "sha256:" $tag }}{{ $repository }}@{{ $tag }}{{ else }}{{ $repository }}:{{ $tag }}{{ end }}
{{- end }}

{{- /* The ports at which the brokers are, each once. */ -}}
{{- define "paywright.brokerPorts" -}}
{{- $ports := list -}}
{{- range .Values.kafka.brokers }}{{ $ports = append $ports (splitList ":" . | last | int) }}{{ end -}}
{{- range .Values.networkPolicy.kafka.ports }}{{ $ports = append $ports (int .) }}{{ end -}}
{{- $ports | uniq | toJson -}}
{{- end }}
